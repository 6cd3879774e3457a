"""What lies in a run folder, by name."""

RECIPE = "recipe.toml"  # everything needed to start again; a folder with a recipe is a run
TOKENIZER = "tokenizer.json"
VECTORS = "vectors.safetensors"  # word vectors that the model started from
DATA = "data.json"  # paths and SHA-256 of every file that is learned from
METRICS = "metrics.jsonl"
CHECKPOINTS = "checkpoints"
FIGURES = "figures.json"
CURVE = "loss.svg"
LOCK, WRITER = ".writer.lock", ".writer.json"  # who trains here now
