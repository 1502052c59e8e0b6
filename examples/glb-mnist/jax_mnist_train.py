"""A small model on MNIST with JAX, without the dropout of the other two."""

import os

import glb
import mnist

# Remuda sets this, too, for each call
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

RATE = 0.1


@glb.gpu_load_balance()
def train_job(epochs: int, batch_size: int) -> list:
    return train(epochs, batch_size, None)


@train_job.profile
def profile_job(epochs: int, batch_size: int) -> None:
    """A few batches need as much memory as all of them."""
    train(1, batch_size, 4 * batch_size)


def train(epochs, batch_size, limit):
    import jax
    import jax.numpy as jnp

    images, labels = mnist.load(limit)
    images = images.reshape(len(images), -1)

    def scores_of(layers, image):
        hidden = jax.nn.relu(image @ layers[0] + layers[1])
        return hidden @ layers[2] + layers[3]

    def loss_of(layers, image, label):
        logs = jax.nn.log_softmax(scores_of(layers, image))
        return -jnp.mean(jnp.take_along_axis(logs, label[:, None], axis=1))

    @jax.jit
    def step(layers, image, label):
        slopes = jax.grad(loss_of)(layers, image, label)
        return [layer - RATE * slope for layer, slope in zip(layers, slopes)]

    @jax.jit
    def right_of(layers, image, label):
        return (scores_of(layers, image).argmax(1) == label).sum()

    first, second, key = jax.random.split(jax.random.PRNGKey(1), 3)
    layers = [
        0.05 * jax.random.normal(first, (784, 128)),
        jnp.zeros(128),
        0.05 * jax.random.normal(second, (128, 10)),
        jnp.zeros(10),
    ]
    for epoch in range(epochs):
        key, own = jax.random.split(key)
        order = jax.random.permutation(own, len(images))
        right = 0
        for start in range(0, len(images) - batch_size + 1, batch_size):
            batch = order[start : start + batch_size]
            image, label = jnp.asarray(images)[batch], jnp.asarray(labels)[batch]
            right += int(right_of(layers, image, label))
            layers = step(layers, image, label)
        print(f"epoch {epoch + 1}: accuracy {100 * right / len(images):.2f} %", flush=True)
    return layers


if __name__ == "__main__":
    mnist.main("jax", train_job)
