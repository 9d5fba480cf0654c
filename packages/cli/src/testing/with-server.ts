import { afterEach, beforeAll, beforeEach } from 'vitest'
import { type RealServer, openRealServer } from './real-server.ts'
import { createTestDirectory, type TestDirectory } from './run-cli.ts'
import { type StandIn, startStandIn } from './stand-in.ts'
import { addSchema } from './stand-in-state.ts'

/** A server, and the directory in which a test runs the command. What they hold is that of the test that runs. */
interface Place<Server> {
  readonly server: Server
  readonly place: TestDirectory
}

/** Gives each test of a file a stand-in of its own, with a schema if one is named. */
export function withStandIn({ schema }: { readonly schema?: string } = {}): Place<StandIn> {
  const server = {} as StandIn
  const place = {} as TestDirectory
  beforeEach(async () => {
    Object.assign(server, await startStandIn())
    if (schema !== undefined) addSchema(server.state, schema)
    Object.assign(place, createTestDirectory(server.url))
  })
  afterEach(async () => {
    place.remove()
    await server.close()
  })
  return { server, place }
}

/** Gives the tests of a file an organization of a real server, and each of them a directory of its own. */
export function withRealServer(): Place<RealServer> {
  const server = {} as RealServer
  const place = {} as TestDirectory
  beforeAll(async () => {
    Object.assign(server, await openRealServer())
  })
  beforeEach(() => {
    Object.assign(place, createTestDirectory(server.url, server.token))
  })
  afterEach(() => place.remove())
  return { server, place }
}
