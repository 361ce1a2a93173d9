"""What the routes of one server share: the catalogue, the uploads, the verbs."""
