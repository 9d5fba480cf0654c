import { boolean, defineConfig, string } from '@signalbox/config'
import { z } from 'zod'

// Any Standard Schema validator will do: two libraries side by side here.
const config = defineConfig({
  public: {
    greeting: string({ default: 'Hello', minLength: 1, description: 'How visitors are greeted' }),
    pageSize: z.number().int().positive().max(100).default(20).describe('Items on a page'),
  },
  secret: {
    adminToken: string({ minLength: 16, description: 'Opens /admin' }),
  },
  featureFlags: {
    shout: boolean({ default: false, description: 'Greets in capitals' }),
  },
})

export default config

declare module '@signalbox/config' {
  interface Register {
    config: typeof config
  }
}
