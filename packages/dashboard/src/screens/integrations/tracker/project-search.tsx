import { useState } from 'react'
import { useList } from '../../../api/use-api.ts'
import { Combobox } from '../../../components/combobox.tsx'
import { offerOptions } from '../../../components/offer-options.ts'
import { FormProblem } from '../../../components/states.tsx'
import { useDebounced } from '../../../browser/use-debounced.ts'
import { useOrganization } from '../../../session/organization.ts'

interface ProjectSearchProps {
  /** Lists the keys of the projects to leave out. */
  readonly chosen: readonly string[]
  readonly onChoose: (key: string) => void
}

/** Searches the projects of the tracker's site. */
export function ProjectSearch({ chosen, onChoose }: ProjectSearchProps) {
  const { params } = useOrganization()
  const [query, setQuery] = useState('')
  const settled = useDebounced(query.trim())
  const projects = useList('GET /organizations/{org_id}/integrations/tracker/projects', {
    params,
    query: { ...(settled !== '' && { query: settled }) },
  })
  const typed = query.trim().toLowerCase()
  const options = offerOptions({
    results: projects.data?.filter(({ key }) => !chosen.includes(key)),
    isOld: settled !== query.trim() || projects.isPlaceholderData,
    fits: ({ key, name }) => `${key} ${name}`.toLowerCase().includes(typed),
  })
  const hasChosenAll =
    typed === '' &&
    projects.data !== undefined &&
    projects.data.length > 0 &&
    !projects.hasNextPage &&
    options?.length === 0
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
        status={hasChosenAll ? 'All projects are chosen.' : undefined}
        footer={projects.hasNextPage ? 'The list is longer. Type to search.' : undefined}
      />
    </>
  )
}
