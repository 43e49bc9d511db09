// The mark: a post horn.

export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg
      className="ph-mark"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M2 6.5v4M2 8.5h8.5a5 5 0 1 1-.01 0M10.5 8.5H15" />
      <path d="M15 8.5c3 0 5.4-1.4 7-4v8c-1.6-2.6-4-4-7-4Z" fill="currentColor" />
    </svg>
  );
}
