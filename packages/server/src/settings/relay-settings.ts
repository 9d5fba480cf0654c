/** Holds what a relay is fed by. */
export interface RelaySettings {
  /** Example: `https://config.example.com`. */
  readonly url: string
  /** Holds the relay key, `sbx_rly_…`. */
  readonly key: string
  /** Lists the public keys whose signatures the relay believes. */
  readonly publisherKeys: readonly string[]
}

/**
 * Reads the settings of a relay; `undefined` for a process that is none. A fault names the settings that are missing, or that
 * belong to a relay alone.
 */
export function readRelaySettings(
  texts: ReadonlyMap<string, string>,
  roles: ReadonlySet<string>,
  faults: string[],
): RelaySettings | undefined {
  const names = ['SIGNALBOX_UPSTREAM_URL', 'SIGNALBOX_UPSTREAM_KEY', 'SIGNALBOX_PUBLISHER_KEYS']
  const [url, key, publisherKeys] = names.map((name) => texts.get(name))
  if (!roles.has('relay')) {
    // A node that NATS feeds has the keys as well.
    const own = texts.has('SIGNALBOX_NATS_URL') ? names.slice(0, 2) : names
    const surplus = own.filter((name) => texts.has(name))
    if (surplus.length > 0) faults.push(`${surplus.join(', ')} needs SIGNALBOX_ROLES=relay.`)
    return undefined
  }
  if (url === undefined || key === undefined || publisherKeys === undefined) {
    const missing = names.filter((name) => !texts.has(name))
    faults.push(`SIGNALBOX_ROLES=relay needs ${missing.join(', ')}.`)
    return undefined
  }
  const keys = readPublisherKeys(texts, faults)
  if (!URL.canParse(url) || !/^https?:\/\/[^/?#@]+\/?$/.test(url)) {
    faults.push(
      'SIGNALBOX_UPSTREAM_URL must be a URL without a path, such as https://config.example.com.',
    )
  }
  if (!/^sbx_rly_\w+$/.test(key)) {
    faults.push(
      'SIGNALBOX_UPSTREAM_KEY must be a relay key, sbx_rly_…, which an admin creates under API keys.',
    )
  }
  return { url: url.replace(/\/$/, ''), key, publisherKeys: keys }
}

/** Reads the public keys whose signatures a node without a database believes. */
export function readPublisherKeys(
  texts: ReadonlyMap<string, string>,
  faults: string[],
): readonly string[] {
  const text = texts.get('SIGNALBOX_PUBLISHER_KEYS')
  const keys = text?.split(',').map((each) => each.trim()) ?? []
  if (!keys.every((each) => /^[\w-]{43}$/.test(each))) {
    faults.push(
      'SIGNALBOX_PUBLISHER_KEYS must be the keys that "signalbox publisher-keys" prints, separated by commas.',
    )
  }
  return keys
}
