"""One output format a file, each with `render(working)`; the table is in `render.renderers`."""
