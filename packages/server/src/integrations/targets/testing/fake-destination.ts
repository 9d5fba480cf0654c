import { ProviderError, type ProviderFailure } from '../../../providers/provider-error.ts'
import type { RemoteName, TargetCalls, WrittenValue } from '../../../providers/target.ts'

/** Pretends a destination in memory, and notes each call that writes. */
export interface FakeDestination extends TargetCalls {
  /** The names that are there, with what they hold. Nothing of the service reads the values. */
  readonly held: Map<string, WrittenValue>
  readonly calls: string[]
  /** Called before each call that writes. Throw to let it fail. */
  before: (call: string) => void
  /** Called after it. */
  after: (call: string) => void
  /** Names nobody may adopt. */
  readonly unadoptable: Set<string>
  reset(): void
}

const slot = ({ store, name }: Pick<RemoteName, 'store' | 'name'>) => `${store}/${name}`
const nothing = () => undefined

/** Returns a failure of the destination. */
export function failed(failure: ProviderFailure, retryAt?: Date): ProviderError {
  return new ProviderError({ provider: 'github', failure, code: `made_${failure}`, retryAt })
}

/** Creates a destination without names. */
export function createFakeDestination(): FakeDestination {
  const held = new Map<string, WrittenValue>()
  const perform = (call: string, act: () => void) => {
    fake.before(call)
    fake.calls.push(call)
    act()
    fake.after(call)
    return Promise.resolve()
  }
  const fake: FakeDestination = {
    held,
    calls: [],
    before: nothing,
    after: nothing,
    unadoptable: new Set(),
    reset() {
      held.clear()
      fake.calls.length = 0
      fake.unadoptable.clear()
      Object.assign(fake, { before: nothing, after: nothing })
    },
    locate: ({ repository = '', environment = '' }) =>
      Promise.resolve({
        id: `github:${repository.toLowerCase()}:${environment.toLowerCase()}`,
        name: environment === '' ? repository : `${repository}, environment ${environment}`,
        url: `https://github.example/${repository}`,
        data: { repository },
      }),
    open: () => ({
      list: () =>
        Promise.resolve(
          [...held.values()].map(({ store, name }) => ({
            store,
            name,
            ...(fake.unadoptable.has(name) && { unadoptable: 'It belongs to others too.' }),
          })),
        ),
      put: (written) =>
        perform(`put ${slot(written)}`, () => void held.set(slot(written), written)),
      remove: (known) => perform(`remove ${slot(known)}`, () => void held.delete(slot(known))),
    }),
  }
  return fake
}
