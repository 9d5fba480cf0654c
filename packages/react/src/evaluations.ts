/** Describes the attributes of one user, or of whatever else rules decide for. Example: `{ targetingKey: 'user-4711' }`. */
export type EvaluationContext = Readonly<Record<string, unknown>>

/** Describes what the server has decided for a key. A key that needs a `targetingKey` and has none is absent. */
export interface Evaluation {
  readonly value: unknown
  readonly variant?: string
}

export type Evaluations = Readonly<Record<string, Evaluation>>

/** Holds what the server has decided for one context, while somebody listens. */
interface EvaluationStore {
  readonly listeners: Set<() => void>
  readonly load: (version: number) => void
  /** Holds the same object until the server decides otherwise. `undefined`: it has not answered yet. */
  current?: Evaluations
}

/** Describes a request for the evaluations of a context, and the version of the configuration that they are about. */
export interface Ask {
  /** Identifies the request: equal ones share an answer. */
  readonly id: string
  readonly send: () => Promise<Evaluations>
}

/** Keeps what the server decides for each context, and asks it once for all who listen. A render alone keeps nothing. */
export interface EvaluationStores {
  read(id: string): Evaluations | undefined
  subscribe(ask: Ask, listener: () => void): () => void
  /** Asks the server, unless it has been asked about this version of the configuration. */
  load(id: string, version: number): void
}

/** Waits with jitter, so that pages that lost a server together do not return together. */
const retryMs = () => 15_000 + Math.random() * 30_000

export function createEvaluationStores(): EvaluationStores {
  const stores = new Map<string, EvaluationStore>()
  return {
    read: (id) => stores.get(id)?.current,
    subscribe(ask, listener) {
      const store = stores.get(ask.id) ?? createStore(ask)
      stores.set(ask.id, store)
      store.listeners.add(listener)
      return () => {
        store.listeners.delete(listener)
        // Where one component takes over from another, React unsubscribes both before it subscribes.
        queueMicrotask(() => {
          if (store.listeners.size === 0) stores.delete(ask.id)
        })
      }
    },
    load: (id, version) => stores.get(id)?.load(version),
  }
}

function createStore({ send }: Ask): EvaluationStore {
  let latest: number | undefined
  const request = async (version: number) => {
    // Another version has been asked about since, or nobody listens any more.
    const isOver = () => version !== latest || store.listeners.size === 0
    if (isOver()) return
    try {
      const evaluations = await send()
      if (isOver()) return
      store.current = keepEqual(store.current, evaluations)
      for (const listener of store.listeners) listener()
    } catch {
      // Components keep the last decision, or the values of the environment.
      setTimeout(request, retryMs(), version)
    }
  }
  const store: EvaluationStore = {
    listeners: new Set(),
    load(version) {
      // It may fall: initial values may have been read with a server key, whose versions count differently.
      if (version === latest) return
      latest = version
      void request(version)
    },
  }
  return store
}

/** Returns evaluations with the earlier object of each key that is decided as before. */
function keepEqual(before: Evaluations = {}, after: Evaluations): Evaluations {
  return Object.fromEntries(
    Object.entries(after).map(([key, evaluation]) => {
      const known = before[key]
      const isSame = JSON.stringify(known) === JSON.stringify(evaluation)
      return [key, isSame && known !== undefined ? known : evaluation]
    }),
  )
}

/** Returns the evaluations of a bulk response of OFREP 0.3 by their keys. */
export function readEvaluations(response: unknown): Evaluations {
  const flags: unknown = Object(response).flags
  if (!Array.isArray(flags)) throw new TypeError('This is no response of OFREP')
  const decided = flags.filter((flag) => Object.hasOwn(Object(flag), 'value'))
  return Object.fromEntries(decided.map((flag) => [flag.key, flag]))
}
