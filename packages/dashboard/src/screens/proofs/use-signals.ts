import type { ItemOf } from '../../api/routes.ts'
import { useList } from '../../api/use-api.ts'
import type { NameOf } from './describe-terms.ts'

/** Describes a signal of the organization. */
export type Signal = ItemOf<'GET /organizations/{org_id}/signals'>

/** Returns the signals of the organization, and a function that names one. `undefined`: they are not known yet. */
export function useSignals(): { readonly signals: readonly Signal[] | undefined; nameOf: NameOf } {
  const { data: signals } = useList('GET /organizations/{org_id}/signals', {
    query: { limit: 100 },
  })
  return {
    signals,
    nameOf: (id) =>
      signals === undefined
        ? '…'
        : (signals.find((one) => one.id === id)?.name ?? 'a deleted signal'),
  }
}

/** Returns the number beyond which a reading of a signal is bad, where there is one and the person may see it. */
export function limitOf(spec: Signal['spec'] | undefined): number | undefined {
  if (spec?.kind === 'prometheus') return spec.above ?? spec.below
  if (spec?.kind !== 'http' || spec.expect === '2xx') return undefined
  return spec.expect.above ?? spec.expect.below
}
