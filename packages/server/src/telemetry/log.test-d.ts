import type { Log } from './log.ts'

declare const log: Log
declare const value: string

log.info('A constant', { orgId: value, count: 1, error: new Error('x') })
// @ts-expect-error a message put together at run time may hold a secret
log.info(`Seen ${value}`)
// @ts-expect-error only named fields are written
log.info('Seen', { password: value })
// @ts-expect-error no field takes an object
log.info('Seen', { detail: { value } })
