'use client'

import type { Bindings } from './client/binding-types.ts'
import { createBindings } from './client/create-bindings.ts'

export type { Bindings, LiveValue } from './client/binding-types.ts'
export { createBindings } from './client/create-bindings.ts'
export {
  ConfigError,
  type ConfigProviderProps,
  type InitialValues,
  type Status,
} from '@signalbox/react'

const bindings: Bindings = createBindings()

/** Provides the registered configuration to the components below it. See `Bindings`. */
export const ConfigProvider: Bindings['ConfigProvider'] = bindings.ConfigProvider
/** Returns the value of a public key, with its version. See `Bindings`. */
export const usePublicConfig: Bindings['usePublicConfig'] = bindings.usePublicConfig
/** Returns whether a flag is on, with its version. See `Bindings`. */
export const useFeatureFlag: Bindings['useFeatureFlag'] = bindings.useFeatureFlag
/** Returns where the values came from. See `Bindings`. */
export const useConfigStatus: Bindings['useConfigStatus'] = bindings.useConfigStatus
