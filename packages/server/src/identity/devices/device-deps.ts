import type { Store } from '../../store/store.ts'

/** What signing in on a device works with. */
export interface DeviceDeps {
  readonly store: Pick<Store, 'transaction'>
  /** Derived from the root key, with the label `sign-in`. */
  readonly signInKey: Buffer
  /** What browsers see as the address of the API. */
  readonly publicUrl: () => string
  readonly now: () => Date
}
