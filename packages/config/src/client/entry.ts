export { ConfigError, type ConfigErrorCode } from '../config-error.ts'
export type {
  ConfigClient,
  ConfigClientOptions,
  FetchLike,
  InitialValues,
  Snapshot,
  SnapshotStorage,
  Status,
  TargetedClient,
  TargetedSnapshot,
} from './client-types.ts'
export { namedPath } from './snapshot-url.ts'
