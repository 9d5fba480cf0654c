import type { Store } from '../../store/store.ts'

/** Describes the dependencies of signing in on a device. */
export interface DeviceDeps {
  readonly store: Pick<Store, 'transaction'>
  /** Derived from the root key, with the label `sign-in`. */
  readonly signInKey: Buffer
  /** Returns the address of the API as browsers see it. */
  readonly publicUrl: () => string
  readonly now: () => Date
}
