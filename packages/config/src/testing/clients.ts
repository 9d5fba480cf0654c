import type { ClientSettings, IdSource, TargetedClient } from '../client/client-types.ts'
import { createConfigClient } from '../client/node.ts'
import { environmentId, schemaId, serverKey } from './snapshot-server.ts'

/** Clients on a server that read with a server key, write nothing to the log, and are all closed by `close`. */
export interface Clients {
  open(options: Partial<ClientSettings & IdSource> & { serverUrl: string }): TargetedClient
  close(): void
}

export function createClients(): Clients {
  const clients: TargetedClient[] = []
  return {
    open(options) {
      const client = createConfigClient({
        token: serverKey,
        schemaId,
        environmentId,
        onError: () => {},
        ...options,
      })
      clients.push(client)
      return client
    },
    close() {
      for (const client of clients.splice(0)) client.close()
    },
  }
}
