import type { Fingerprints } from '@signalbox/config/leak-scan'

/** Describes the options of the plugin. */
export interface SignalboxOptions {
  /** Id or name. Example: `production`. */
  readonly environment: string
  /** Holds the address that browsers read from. Default: `SIGNALBOX_CONFIG_URL`. Example: `https://config.example.com`. */
  readonly baseUrl?: string
  /** A browser key, `sbx_b2m_…`. Default: `SIGNALBOX_BROWSER_KEY`. */
  readonly apiKey?: string
  /** Id or name of the organization. Default: `SIGNALBOX_ORGANIZATION`, then `.signalbox.json`. */
  readonly orgId?: string
  /** The schema by id or name, for a key that may read several. Default: `.signalbox.json`. */
  readonly schema?: string
  /**
   * Sets how the browser requests the configuration before the scripts have loaded. `link`: a `<link rel="preload">`
   * in the head. `inline`: a script that writes the link from the `<meta>` when the page is opened, for pages that
   * change when they are served. Default `link`.
   */
  readonly preload?: 'link' | 'inline' | false
  /**
   * Sets where address, key and environment are. `runtime`: in `<meta name="signalbox-config">`, so that one build
   * serves every environment. `build`: in the script. Default `runtime`.
   */
  readonly inject?: 'runtime' | 'build'
  /**
   * Sets the effect of a secret in the build. By default it fails, and a server that does not answer with its secrets
   * is a warning; with `error` that fails the build too.
   */
  readonly leakCheck?: 'error' | 'warn' | false
  /** Holds the path of the definition, for the names of the secrets. Default: `signalbox.config.ts`, if it exists. */
  readonly definition?: string
  /**
   * Holds fingerprints of secrets that this build does not know, from `fingerprintSecrets` of
   * `@signalbox/config/leak-scan`.
   */
  readonly fingerprints?: Fingerprints
}
