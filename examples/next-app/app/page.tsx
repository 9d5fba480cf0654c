import { getConfig } from '@signalbox/next/server'
import config from '../signalbox.config'
import { Checkout } from './checkout'
import { configSource } from './config-source'

/** A static page: rendered at build time, and anew when the configuration changed. */
export default async function Page() {
  const { public: values, status } = await getConfig({ ...configSource, config })
  return (
    <main>
      <h1>{values.greeting}</h1>
      {status.stale && <p>Signalbox cannot be reached. These are the last known values.</p>}
      <Checkout />
    </main>
  )
}
