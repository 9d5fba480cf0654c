import { configTag, getConfig } from '@signalbox/next/server'
import { cacheLife, cacheTag } from 'next/cache'
import { Checkout } from '../app/checkout'
import { configSource } from '../app/config-source'
import config from '../signalbox.config'

/** Caches the page until the configuration changes, or for an hour. */
async function Greeting() {
  'use cache'
  cacheLife('hours')
  cacheTag(configTag(configSource.orgId, configSource.environment))
  const { public: values } = await getConfig({ ...configSource, config })
  return <h1>{values.greeting}</h1>
}

export default function Page() {
  return (
    <main>
      <Greeting />
      <Checkout />
    </main>
  )
}
