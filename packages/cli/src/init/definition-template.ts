/** Holds the definition file that `init` writes: keys of each tier, to be replaced. */
export const definitionTemplate = `import { boolean, defineConfig, limit, number, string } from '@signalbox/config'

const config = defineConfig({
  // Anyone may read these, including browsers.
  public: {
    apiUrl: string({ url: true, default: 'http://localhost:3000', description: 'Address of our API' }),
    timeoutMs: number({ integer: true, positive: true, default: 3000 }),
    // Rules serve another number to some users: signalbox rules add seats --when 'plan is pro' --serve 50
    seats: limit({ min: 1, max: 500, step: 1, default: 5 }),
  },
  // Only servers read these. Set them with: signalbox set sessionSecret
  secret: {
    sessionSecret: string({ minLength: 16, description: 'Signs session cookies' }),
  },
  // Switches, flipped without a deployment: signalbox set newCheckout true
  featureFlags: {
    newCheckout: boolean({ default: false }),
  },
})

export default config

declare module '@signalbox/config' {
  interface Register {
    config: typeof config
  }
}
`

/** Renders the file that brings the definition into a program that reads another folder than the definition's. */
export function renderTypesFile(definition: string): string {
  const path = `../${definition.replace(/\.([cm]?)ts$/, '.$1js')}`
  return `// Lets the compiler read the definition, which registers the types of its keys.\nimport '${path}'\n`
}
