"""The commands glb-start, glb-run, grn-start and grn-run, and those of the Kubernetes scheduler."""
