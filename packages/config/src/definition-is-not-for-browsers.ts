// Stands in for `@signalbox/config` in a browser build. It exports types only, so that importing a value from it fails
// the build; the name of the file is the message. Clients are imported from `@signalbox/config/client`.
export type * from './index.ts'
