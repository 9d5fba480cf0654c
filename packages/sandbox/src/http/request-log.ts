/** Describes a request that a provider received, whatever the response was. */
export interface LoggedRequest {
  /** Holds the time of arrival. */
  readonly at: string
  readonly provider: string
  readonly method: string
  /** Holds the path with the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Holds the status of the response. `undefined`: the connection was closed without one. */
  readonly status: number | undefined
}

/** Describes the log of requests, in the order of the responses. Tests count with it what really arrived. */
export interface RequestLog {
  add(request: LoggedRequest): void
  list(): readonly LoggedRequest[]
  reset(): void
}

/** Limits the log. The oldest entries are dropped. */
const entriesMax = 10_000

/** Creates an empty log. */
export function createRequestLog(): RequestLog {
  let requests: LoggedRequest[] = []
  return {
    add(request) {
      requests.push(request)
      if (requests.length > entriesMax) requests = requests.slice(-entriesMax / 2)
    },
    list: () => requests,
    reset() {
      requests = []
    },
  }
}
