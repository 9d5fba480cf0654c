export { readSettings, SettingsError, type Settings } from './settings.ts'
export type { Service } from './start/service.ts'
export { startService } from './start/start-service.ts'
export { createLog, silentLog, type Log } from './telemetry/log.ts'
