import { ListChecks } from 'lucide-react'

/** Marks a cell whose flag is rolled out in steps. The line below the grid says it in words. */
export function RolloutMark({ text }: { readonly text: string }) {
  return (
    <span role="img" aria-label={text} title={text} className="ml-auto text-info">
      <ListChecks aria-hidden size={14} />
    </span>
  )
}
