// Stands in for `@signalbox/config/server` on platforms without a disk, such as Cloudflare Workers. Importing what
// writes files from it fails the build; the name of the file is the message.
export { Secrets } from './server/secrets.ts'
export type * from './server/index.ts'
