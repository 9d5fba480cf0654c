import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from './button.tsx'

/** Shows a commit, by its first seven characters. */
export function Sha({ sha }: { readonly sha: string }) {
  return (
    <code title={sha} className="font-mono text-sm">
      {sha.slice(0, 7)}
    </code>
  )
}

interface CopyButtonProps {
  readonly text: string
  readonly label?: string
}

/** Copies a text. It renders nothing over plain http, where browsers give pages no clipboard. */
export function CopyButton({ text, label = 'Copy' }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  if (!isSecureContext) return null
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return (
    <>
      <IconButton
        label={label}
        icon={copied ? Check : Copy}
        onClick={() => void copy()}
        onBlur={() => setCopied(false)}
      />
      <span role="status" className="sr-only">
        {copied ? 'Copied' : ''}
      </span>
    </>
  )
}

/** Shows a command or a snippet, with a button that copies it. */
export function CodeBlock({ code }: { readonly code: string }) {
  return (
    <div className="flex items-start gap-2 rounded-md bg-raised py-1 pr-1 pl-3">
      <pre className="min-w-0 flex-1 py-1.5 font-mono text-sm whitespace-pre-wrap wrap-anywhere">
        <code>{code}</code>
      </pre>
      <CopyButton text={code} />
    </div>
  )
}
