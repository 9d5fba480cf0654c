import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bundleForBrowser } from '../packages/config/src/testing/bundle.ts'

export interface ConfigPageOptions {
  /** Of the delivery. */
  readonly serverUrl: string
  readonly token: string
  readonly schemaId: string
  readonly environmentId: string
  /** The public value that the page shows. */
  readonly key: string
}

export interface ConfigPage {
  readonly url: string
  close(): Promise<void>
}

/** Serves an application of one page that shows a value, as `@signalbox/config` has it, for as long as it is open. */
export async function serveConfigPage({ key, ...options }: ConfigPageOptions): Promise<ConfigPage> {
  const script = await bundleForBrowser(`
    import { createConfigClient } from '@signalbox/config/client'
    const client = createConfigClient(${JSON.stringify(options)})
    const show = () => {
      document.querySelector('h1').textContent = client.snapshot().public[${JSON.stringify(key)}] ?? ''
    }
    client.subscribe(show)
    client.ready().then(show)
  `)
  const html = `<!doctype html><title>Shop</title><h1></h1><script type="module" src="/app.js"></script>`
  const server = createServer(({ url }, answer) => {
    const isScript = url === '/app.js'
    answer.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    answer.end(isScript ? script : html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
