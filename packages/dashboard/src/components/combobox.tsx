import { Fragment, useEffect, useId, useState, type KeyboardEvent, type ReactNode } from 'react'

const variants = {
  /** Renders a field of a form, with its options in a frame below. */
  field: {
    root: 'flex flex-col gap-2',
    list: 'max-h-64 overflow-y-auto rounded-md border border-line empty:border-0',
    option: 'gap-2 px-2.5',
    status: 'text-sm text-muted',
  },
  /** Fills a dialog. */
  dialog: {
    root: 'flex flex-col gap-4',
    list: 'max-h-[50dvh] overflow-y-auto',
    option: 'justify-between gap-4 rounded px-2',
    status: 'px-2 text-muted',
  },
} as const

interface ComboboxProps<Option> {
  readonly label: string
  /** Labels the options, where the label of the field does not fit them. */
  readonly listLabel?: string
  readonly placeholder?: string
  readonly query: string
  readonly onQuery: (query: string) => void
  /** Holds the options. `undefined`: unknown, so it does not say that nothing matches. */
  readonly options: readonly Option[] | undefined
  readonly keyOf: (option: Option) => string
  readonly render: (option: Option) => ReactNode
  /** Returns the heading above an option and its neighbours. Options of one heading are next to each other. */
  readonly headingOf?: ((option: Option) => string) | undefined
  readonly onChoose: (option: Option) => void
  /** Returns whether the first option is active before a person moves to it. Absent: each one is. */
  readonly mayBeFirst?: (option: Option) => boolean
  /** Says whether more options are on their way. Enter then waits for the first one. */
  readonly isSearching?: boolean
  /** Replaces the announced number of options while it is not final. */
  readonly status?: string | undefined
  readonly variant?: keyof typeof variants
  /** Holds a text below the options: how many there are, or why some are missing. */
  readonly footer?: ReactNode
}

/**
 * Renders a list that is searched by typing. The focus stays in the field; the option that Enter would choose is
 * announced.
 *
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
 */
export function Combobox<Option>(props: ComboboxProps<Option>) {
  const { label, listLabel = label, placeholder, query, keyOf, options: known, footer } = props
  const { variant = 'field', status = known && formatCount(known.length) } = props
  const classes = variants[variant]
  const listId = useId()
  const options = known ?? []
  const { active, chosen, moveTo, onKeyDown } = useActiveOption(options, listId, props)
  return (
    <div className={classes.root}>
      <input
        className="control"
        role="combobox"
        aria-label={label}
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={chosen && `${listId}-${active}`}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={({ target }) => {
          props.onQuery(target.value)
          moveTo(undefined)
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={listId} role="listbox" aria-label={listLabel} className={classes.list}>
        {options.map((option, index) => (
          <Fragment key={keyOf(option)}>
            <Heading of={option} after={options[index - 1]} headingOf={props.headingOf} />
            <li
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === active}
              onPointerMove={() => moveTo(index)}
              onClick={() => props.onChoose(option)}
              className={`flex min-h-8 cursor-pointer items-center py-1 aria-selected:bg-raised forced-colors:aria-selected:outline-2 forced-colors:aria-selected:-outline-offset-2 ${classes.option}`}
            >
              {props.render(option)}
            </li>
          </Fragment>
        ))}
      </ul>
      <p role="status" className={options.length > 0 ? 'sr-only' : classes.status}>
        {status}
      </p>
      {footer !== undefined && <div className="text-sm text-muted">{footer}</div>}
    </div>
  )
}

interface HeadingProps<Option> extends Pick<ComboboxProps<Option>, 'headingOf'> {
  readonly of: Option
  /** Holds the option above it. */
  readonly after: Option | undefined
}

/** Renders the heading where a group begins. A list of options has no headings for a screen reader, which reads the kind of each option. */
function Heading<Option>({ of, after, headingOf }: HeadingProps<Option>) {
  const heading = headingOf?.(of)
  if (heading === undefined || (after !== undefined && headingOf?.(after) === heading)) return null
  return (
    <li role="presentation" className="px-2 pt-2 pb-1 text-sm text-muted first:pt-0">
      <span aria-hidden>{heading}</span>
    </li>
  )
}

/** Tracks the active option, moves it with the arrow keys and scrolls it into view. */
function useActiveOption<Option>(
  options: readonly Option[],
  listId: string,
  props: Pick<ComboboxProps<Option>, 'keyOf' | 'onChoose' | 'query' | 'isSearching' | 'mayBeFirst'>,
) {
  const { keyOf, onChoose, query, isSearching = false, mayBeFirst = () => true } = props
  const [movedTo, moveTo] = useState<number>()
  const [first] = options
  const start = first !== undefined && mayBeFirst(first) ? 0 : -1
  const active = Math.min(movedTo ?? start, options.length - 1)
  const chosen = options[active]
  const chosenKey = chosen && keyOf(chosen)
  useEffect(() => {
    if (chosenKey === undefined) return
    document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [listId, active, chosenKey])

  // Holds the query for which Enter was pressed before any option had arrived.
  const [awaited, setAwaited] = useState<string>()
  useEffect(() => {
    if (awaited === undefined || isSearching) return
    setAwaited(undefined)
    if (awaited === query && chosen !== undefined) onChoose(chosen)
  }, [awaited, chosen, isSearching, onChoose, query])

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && options.length > 0) {
      event.preventDefault()
      const from = active === -1 && step === -1 ? 0 : active
      moveTo((from + step + options.length) % options.length)
    } else if (event.key === 'Enter' && chosen !== undefined) {
      event.preventDefault()
      onChoose(chosen)
    } else if (event.key === 'Enter' && isSearching) {
      event.preventDefault()
      setAwaited(query)
    }
  }
  return { active, chosen, moveTo, onKeyDown }
}

/** Returns the number of results as a sentence for screen readers. */
function formatCount(count: number): string {
  if (count === 0) return 'Nothing matches.'
  return count === 1 ? '1 result' : `${count} results`
}
