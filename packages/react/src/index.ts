import type { Bindings } from './binding-types.ts'
import { createBindings } from './create-bindings.ts'

export type { Bindings, BrowserApiKey, BrowserFlag, ConfigProviderProps } from './binding-types.ts'
export { createBindings } from './create-bindings.ts'
export { ConfigError, type InitialValues, type Snapshot, type Status } from '@signalbox/config/page'

const bindings: Bindings = createBindings()

/** Provides the registered configuration to the components below it. See `Bindings`. */
export const ConfigProvider: Bindings['ConfigProvider'] = bindings.ConfigProvider
/** Returns the value of a public key. See `Bindings`. */
export const usePublicConfig: Bindings['usePublicConfig'] = bindings.usePublicConfig
/** Returns whether a flag is on. See `Bindings`. */
export const useFeatureFlag: Bindings['useFeatureFlag'] = bindings.useFeatureFlag
/** Returns where the values came from. See `Bindings`. */
export const useConfigStatus: Bindings['useConfigStatus'] = bindings.useConfigStatus
