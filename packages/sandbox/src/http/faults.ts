export type FaultKind =
  /** Sends this response, and does nothing else. Example: 429 with `{ 'retry-after': '3' }`. */
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
    }
  /** Closes the connection before anything is done. */
  | { readonly kind: 'drop' }
  /** Executes the request, and closes the connection without a response: the caller cannot know the result. */
  | { readonly kind: 'cut' }
  /** Executes the request and never responds. The connection is closed with the sandbox. */
  | { readonly kind: 'hang' }
  /** Executes the request and sends the response one byte at a time, at this interval. */
  | { readonly kind: 'drip'; readonly everyMs: number }
  /** Waits before executing the request. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** Waits for this promise before executing the request. Tests in the same process add it; it cannot be sent over HTTP. */
  | { readonly kind: 'hold'; readonly until: Promise<unknown> }

/** Describes a fault, and which requests it applies to. */
export interface Fault {
  readonly provider: string
  /** Holds a prefix of `METHOD /path`, without the provider's path. Example: `POST /chat.postMessage`. Default: any request. */
  readonly request?: string
  /** Counts the requests that it applies to. Default 1. */
  readonly times?: number
  readonly fault: FaultKind
}

/** Describes the queue of faults that have not happened yet. */
export interface Faults {
  add(fault: Fault): void
  /** Takes the oldest fault that applies to a request. Returns `undefined` when there is none. */
  take(provider: string, request: string): FaultKind | undefined
  /** Lists the faults that have not happened yet, oldest first. `times` is how often each will still happen. */
  list(): readonly Fault[]
  reset(): void
}

/** Creates an empty list of faults. */
export function createFaults(): Faults {
  let waiting: { readonly of: Fault; left: number }[] = []
  return {
    add(fault) {
      waiting.push({ of: fault, left: fault.times ?? 1 })
    },
    take(provider, request) {
      const waitingFault = waiting.find(
        ({ of }) => of.provider === provider && request.startsWith(of.request ?? ''),
      )
      if (waitingFault === undefined) return undefined
      waitingFault.left -= 1
      waiting = waiting.filter(({ left }) => left > 0)
      return waitingFault.of.fault
    },
    list: () => waiting.map(({ of, left }) => ({ ...of, times: left })),
    reset() {
      waiting = []
    },
  }
}
