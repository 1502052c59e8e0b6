"""The library of the Kubernetes deep-learning scheduler, served by Remuda: scripts written for it
run as they are.

    from kubernetesdlprofile import kubeprofiler

    api = kubeprofiler.KubeProfiler()
"""
