"""Pages without a server: a folder for any file host, whose pages run Python in the browser."""
