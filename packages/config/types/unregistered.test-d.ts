// A project that has registered nothing: any key, any value.
import { createConfigClient, type TargetedClient } from '@signalbox/config/client'
import { createTestConfigClient } from '@signalbox/config/testing'
import type { AnyConfig, ConfigValue, ReadableKey, Registered } from '@signalbox/config'
import { expectSame } from './expect-type.ts'

expectSame<Registered, AnyConfig>(true)
expectSame<ReadableKey, string>(true)

export const client = createConfigClient({
  serverUrl: 'https://config.example.com',
  token: 'sbx_b2m_x',
  schemaId: 'sch_x',
  environmentId: 'env_x',
  fetch,
  defaults: { anything: 'at all', beta: true, size: 3 },
  onChange: (snapshot) => expectSame<ReturnType<typeof snapshot.flag>, boolean>(true),
})
expectSame<typeof client, TargetedClient>(true)
expectSame<Awaited<ReturnType<typeof readAny>>, ConfigValue>(true)
expectSame<Awaited<ReturnType<typeof readFlag>>, boolean>(true)

export function readAny() {
  return client.get('whatever')
}

export function readFlag() {
  return client.flag('whatever')
}

client.subscribe(() => {}, ['anything'])
createTestConfigClient({ anything: 1 }).set({ other: 'x', beta: false })

// @ts-expect-error: the four options that nothing works without
createConfigClient({ serverUrl: 'https://config.example.com' })
