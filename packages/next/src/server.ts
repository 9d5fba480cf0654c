export { ConfigError, type ConfigErrorCode } from '@signalbox/config/client'
export { Secrets } from '@signalbox/config/server'
export { configTag, everyConfigTag } from './server/config-tags.ts'
export type { ConfigPlace } from './server/config-place.ts'
export type { FetchOptions } from './server/fetch-options.ts'
export type { FoundStatus } from './server/present-found.ts'
export { getConfig, type GetConfigOptions, type PublicConfig } from './server/get-config.ts'
export {
  getServerConfig,
  type GetServerConfigOptions,
  type ServerConfig,
} from './server/get-server-config.ts'
