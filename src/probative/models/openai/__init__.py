"""Any OpenAI-compatible server: hosted, vLLM, SGLang, Ollama, llama.cpp."""
