import { Problem } from '@signalbox/contract'
import type { BrowserItem } from '../browser/browser-item.ts'
import type { Reader } from '../cache/reader.ts'
import type { SnapshotStore } from '../cache/snapshot-store.ts'
import { refuseBrowserKey } from '../flagd/answer-flagd.ts'
import { getByNames } from '../http/find-by-names.ts'

const pattern = /^(?:flagSetId=)?([^/=]+)\/([^/=]+)$/

/**
 * Returns the snapshot that a selector names, such as `flagSetId=web/production`. Without one the key has to be
 * restricted to one environment, and to one schema where there are several.
 *
 * @throws {Problem} `key_kind_forbidden`, and as `getByNames` does
 */
export function findItem(
  snapshots: SnapshotStore<BrowserItem>,
  reader: Reader,
  selector: string,
): BrowserItem {
  refuseBrowserKey(reader)
  if (reader.type === 'person') {
    throw new Problem('invalid_credentials', 'This address accepts only server keys.')
  }
  const { orgId, environmentIds } = reader
  if (selector === '') {
    const [environment, ...others] = environmentIds ?? []
    if (environment === undefined || others.length > 0) throw selectorRequired()
    return getByNames(snapshots, reader, { orgId, environment, schema: undefined })
  }
  const [, schema, environment] = pattern.exec(selector) ?? []
  if (schema === undefined) throw selectorRequired()
  return getByNames(snapshots, reader, { orgId, environment, schema })
}

function selectorRequired(): Problem {
  return new Problem(
    'invalid_query',
    'The key reaches several environments. Set the selector to flagSetId=<schema>/<environment>, or restrict the key to one.',
  )
}
