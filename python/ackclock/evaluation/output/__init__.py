"""The dossier's files: index.html, dossier.json and dossier.md."""
