import type { PageRef } from '@signalbox/contract'
import { Panel } from '../../../components/panel.tsx'
import { PageLink } from '../../../session/page-link.tsx'
import { describeChanges } from './describe-changes.ts'
import type { Detail } from './detail.ts'
import { explainUnrecorded } from './explain-unrecorded.ts'

type Config = Detail['configVersions'][number]

/** Shows the configuration at the time of the deployment, and its changes since the one before. */
export function ConfigPanel({ detail }: { readonly detail: Detail }) {
  const { configVersions } = detail
  return (
    <Panel title="Configuration at this moment" flush>
      {configVersions.length === 0 ? (
        <p className="p-4 text-muted">{explainUnrecorded(detail)}</p>
      ) : (
        <ul className="divide-y divide-line">
          {configVersions.map((config) => (
            <ConfigRow
              key={config.schemaId}
              config={config}
              hasPrevious={detail.previous !== null}
            />
          ))}
        </ul>
      )}
    </Panel>
  )
}

interface ConfigRowProps {
  readonly config: Config
  /** Says whether the deployment has one before it. */
  readonly hasPrevious: boolean
}

function ConfigRow({ config, hasPrevious }: ConfigRowProps) {
  const { schema, version, versionId, previousVersion, previousVersionId, changedKeys } = config
  return (
    <li className="flex flex-col gap-1 px-4 py-2.5">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <bdi className="font-medium break-words">{schema ?? 'Deleted schema'}</bdi>
        <span className="text-muted">version {version}</span>
        {versionId !== null && (
          <PageLink to={toHistory(config, versionId)}>
            {previousVersionId === null || previousVersion === version
              ? 'Show'
              : `Compare with version ${previousVersion}`}
          </PageLink>
        )}
      </p>
      <p className="text-sm text-muted">{describeChanges(config, hasPrevious)}</p>
      {changedKeys.length > 0 && (
        <ul className="flex flex-wrap gap-1">
          {changedKeys.map((key) => (
            <li
              key={key}
              className="max-w-full rounded bg-raised px-1.5 font-mono text-sm break-all"
            >
              {key}
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

function toHistory(
  { schemaId, version, previousVersion, previousVersionId }: Config,
  versionId: string,
): PageRef {
  const isCompared = previousVersionId !== null && previousVersion !== version
  return {
    page: 'history',
    search: {
      schema: schemaId,
      version: versionId,
      ...(isCompared && { against: previousVersionId }),
    },
  }
}
