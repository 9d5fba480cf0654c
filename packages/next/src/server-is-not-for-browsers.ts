// Stands in for `@signalbox/next/server` in a browser build. It exports types only, so that importing a value from it
// fails the build; the name of the file is the message.
export type * from './server.ts'
