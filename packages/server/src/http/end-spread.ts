/** Describes streams that are open, and how one of them is ended. */
export interface Endable<Stream> {
  readonly size: () => number
  readonly all: () => Iterable<Stream>
  /** Ends a stream. From then on it counts neither in `size` nor in `all`. */
  readonly end: (stream: Stream) => void
}

const everyMs = 50

/**
 * Ends streams evenly over `overMs`, so that their clients do not all arrive at another node in one moment. Streams that open
 * meanwhile are ended as well, until the returned function is called.
 */
export function endSpread<Stream>({ size, all, end }: Endable<Stream>, overMs: number): () => void {
  let slicesLeft = Math.max(1, Math.floor(overMs / everyMs))
  const timer = setInterval(() => {
    let due = Math.ceil(size() / slicesLeft)
    slicesLeft = Math.max(1, slicesLeft - 1)
    for (const stream of all()) {
      if (due <= 0) return
      due -= 1
      end(stream)
    }
  }, everyMs).unref()
  return () => clearInterval(timer)
}

/** Ends streams over a pause that is begun at most once. */
export interface Draining {
  start(overMs: number): void
  stop(): void
}

/** Creates the pause of a registry of streams. */
export function createDraining<Stream>(streams: Endable<Stream>): Draining {
  let stop: (() => void) | undefined
  return {
    start(overMs) {
      stop ??= endSpread(streams, overMs)
    },
    stop: () => stop?.(),
  }
}
