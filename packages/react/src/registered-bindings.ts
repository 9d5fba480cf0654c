import type { Bindings } from './binding-types.ts'
import { createBindings } from './create-bindings.ts'

/** Holds the provider and the hooks of the registered configuration, which several entries of this package share. */
export const bindings: Bindings = createBindings()
