import { boolean, defineConfig, number, string } from '@signalbox/config'

const config = defineConfig({
  public: {
    greeting: string({ default: 'Hello', minLength: 1, description: 'How visitors are greeted' }),
    pageSize: number({ default: 20, integer: true, min: 1, max: 100 }),
  },
  secret: {
    adminToken: string({ minLength: 16, description: 'Opens /admin' }),
  },
  featureFlags: {
    newCheckout: boolean({ default: false, description: 'The checkout on one page' }),
  },
})

export default config

declare module '@signalbox/config' {
  interface Register {
    config: typeof config
  }
}
