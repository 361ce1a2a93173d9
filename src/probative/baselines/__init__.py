"""What the methods are compared with. Each is one function with the methods' signature."""
