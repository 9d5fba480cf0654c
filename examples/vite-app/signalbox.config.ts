import { boolean, defineConfig, number, string } from '@signalbox/config'

// Read by the command line and by the build. A page has its types, never this file.
const config = defineConfig({
  public: {
    greeting: string({ default: 'Hello', minLength: 1, description: 'How visitors are greeted' }),
    pageSize: number({
      default: 20,
      integer: true,
      positive: true,
      description: 'Items on a page',
    }),
  },
  secret: {
    paymentToken: string({ minLength: 16, description: 'Charges cards, on the server' }),
    mailPassword: string({ minLength: 12, description: 'Sends mail, on the server' }),
  },
  featureFlags: {
    newCheckout: boolean({ default: false, description: 'The checkout in one page' }),
  },
})

export default config

declare module '@signalbox/config' {
  interface Register {
    config: typeof config
  }
}
