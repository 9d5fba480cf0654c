import type { ItemOf } from '../../api/routes.ts'
import { useList } from '../../api/use-api.ts'
import { Badge } from '../../components/badge.tsx'

type Preview = ItemOf<'GET /organizations/{org_id}/preview-environments'>

/** Shows the previews of pull requests, folded. Where there are none, nothing is shown. */
export function Previews() {
  const { data: previews = [] } = useList('GET /organizations/{org_id}/preview-environments', {
    query: { limit: 100 },
  })
  if (previews.length === 0) return null
  const live = previews.filter(({ state }) => state === 'live').length
  return (
    <details className="mt-4 rounded-lg border border-line bg-panel">
      <summary className="min-h-11 px-4 py-2.5 font-semibold">
        Previews of pull requests ({live} live)
      </summary>
      <ul className="border-t border-line">
        {previews.map((preview) => (
          <PreviewRow key={preview.environment.id} preview={preview} />
        ))}
      </ul>
    </details>
  )
}

function PreviewRow({ preview }: { readonly preview: Preview }) {
  const { environment, state, ended } = preview
  const { name, source } = environment
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
      <bdi className="min-w-0 font-semibold wrap-anywhere">{name}</bdi>
      {source !== null && (
        <span className="min-w-0 text-muted wrap-anywhere">
          {source.repository}
          {source.pullRequest === null ? '' : ` #${source.pullRequest}`}
        </span>
      )}
      {state === 'live' ? (
        <Badge tone="ok">live</Badge>
      ) : (
        <span className="min-w-0 text-sm text-muted wrap-anywhere">{ended?.detail ?? 'ended'}</span>
      )}
    </li>
  )
}
