export { ConfigError, type ConfigErrorCode } from '@signalbox/config/client'
export { Secrets } from '@signalbox/config/server'
export { configTag, everyConfigTag } from './server/config-tags.ts'
export type { ConfigSource } from './server/config-source.ts'
export type { FetchOptions } from './server/fetch-options.ts'
export type { SnapshotStatus } from './server/present-snapshot.ts'
export { getConfig, type GetConfigOptions, type PublicConfig } from './server/get-config.ts'
export {
  getServerConfig,
  type GetServerConfigOptions,
  type ServerConfig,
} from './server/get-server-config.ts'
