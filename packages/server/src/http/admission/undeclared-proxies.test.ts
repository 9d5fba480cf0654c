import { expect, it } from 'vitest'
import { silentLog } from '../../telemetry/log.ts'
import { createUndeclaredProxies } from './undeclared-proxies.ts'

it('an undeclared proxy is told once in the log, and no more than ten are', () => {
  const told: unknown[] = []
  const proxies = createUndeclaredProxies({
    ...silentLog,
    warn: (message, fields) => told.push([message.includes('SIGNALBOX_TRUSTED_PROXIES'), fields]),
  })
  proxies.note('10.0.0.1')
  proxies.note('10.0.0.1')
  expect(told).toEqual([[true, { address: '10.0.0.1' }]])
  for (let at = 0; at < 100; at += 1) proxies.note(`203.0.113.${at}`)
  expect([told.length, proxies.list().length, proxies.list()[0]]).toEqual([10, 10, '10.0.0.1'])
})
