"""The pages: one front end, two engines. `serve` has the local Python behind it, `site` writes a static folder."""
