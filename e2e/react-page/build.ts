import { rolldown } from 'rolldown'
import type { AppProps } from './app.ts'

/** The versions of React that the bindings are for: the oldest one and the one that is installed. */
export const reacts = ['18.3', '19'] as const
export type ReactVersion = (typeof reacts)[number]

/** The page with one version of React in it. */
export interface ReactPage {
  /** Example: `18.3.1`. */
  readonly version: string
  /** Holds the script that a browser loads. */
  readonly script: string
  /** Returns the HTML that a server renders. */
  render(props: AppProps): string
}

const aliases: Readonly<Record<ReactVersion, Record<string, string>>> = {
  '18.3': { react: 'react-18', 'react-dom': 'react-dom-18' },
  '19': {},
}

/** Builds the page once for browsers and once for servers, with the same React on both sides. */
export async function buildReactPage(react: ReactVersion): Promise<ReactPage> {
  const [script, renderer] = await Promise.all([
    bundle(`${import.meta.dirname}/main.ts`, react),
    bundle(`${import.meta.dirname}/render.ts`, react),
  ])
  const url = `data:text/javascript;base64,${Buffer.from(renderer).toString('base64')}`
  const { version, render }: Omit<ReactPage, 'script'> = await import(url)
  return { version, script, render }
}

/** Bundles a page for browsers with one version of React. */
export async function bundle(input: string, react: ReactVersion): Promise<string> {
  const build = await rolldown({
    input,
    platform: 'browser',
    resolve: {
      conditionNames: ['@signalbox/source', 'browser', 'import', 'default'],
      alias: aliases[react],
    },
    // React as it is while developing complains of every mismatch, and mounts twice in StrictMode.
    transform: { define: { 'process.env.NODE_ENV': '"development"' } },
    logLevel: 'silent',
  })
  try {
    const { output } = await build.generate({ format: 'esm' })
    return output[0].code
  } finally {
    await build.close()
  }
}
