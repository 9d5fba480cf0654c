import { getConfig } from '@signalbox/next/server'
import config from '../signalbox.config'
import { Checkout } from './checkout'
import { configSource } from './config-source'

/** Renders a static page: at build time, and again when the configuration changes. */
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
