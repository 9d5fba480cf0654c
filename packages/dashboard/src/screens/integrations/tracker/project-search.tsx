import { useState } from 'react'
import { useList } from '../../../api/use-api.ts'
import { Combobox } from '../../../parts/combobox.tsx'
import { offerOptions } from '../../../parts/offer-options.ts'
import { FormProblem } from '../../../parts/states.tsx'
import { useDebounced } from '../../../parts/use-debounced.ts'
import { useOrganization } from '../../../shell/organization.ts'

interface ProjectSearchProps {
  /** The keys of those that are not offered. */
  readonly chosen: readonly string[]
  readonly onChoose: (key: string) => void
}

/** The projects of the tracker's site by typing. */
export function ProjectSearch({ chosen, onChoose }: ProjectSearchProps) {
  const { params } = useOrganization()
  const [query, setQuery] = useState('')
  const asked = useDebounced(query.trim())
  const projects = useList('GET /organizations/{org_id}/integrations/tracker/projects', {
    params,
    query: { ...(asked !== '' && { query: asked }) },
  })
  const typed = query.trim().toLowerCase()
  const options = offerOptions({
    found: projects.data?.filter(({ key }) => !chosen.includes(key)),
    isOld: asked !== query.trim() || projects.isPlaceholderData,
    fits: ({ key, name }) => `${key} ${name}`.toLowerCase().includes(typed),
  })
  return (
    <>
      <FormProblem problem={projects.error} />
      <Combobox
        label="Add a project"
        placeholder="Search by key or name"
        query={query}
        onQuery={setQuery}
        options={options}
        keyOf={({ key }) => key}
        render={({ key, name }) => (
          <>
            <span className="font-mono text-sm">{key}</span>
            <span className="min-w-0 truncate text-muted">{name}</span>
          </>
        )}
        onChoose={({ key }) => {
          setQuery('')
          onChoose(key)
        }}
        footer={projects.hasNextPage ? 'There are more: type to search.' : undefined}
      />
    </>
  )
}
