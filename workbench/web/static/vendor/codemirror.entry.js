// The editor of the workshop: what of CodeMirror it needs, as one module.
export { EditorState, StateEffect, StateField, Compartment, RangeSetBuilder } from "@codemirror/state";
export { EditorView, keymap, lineNumbers, highlightActiveLine, highlightActiveLineGutter,
  highlightSpecialChars, drawSelection, rectangularSelection, Decoration, WidgetType, gutterLineClass, GutterMarker } from "@codemirror/view";
export { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
export { StreamLanguage, HighlightStyle, syntaxHighlighting, bracketMatching, indentUnit } from "@codemirror/language";
export { setDiagnostics, lintKeymap, lintGutter, openLintPanel, nextDiagnostic } from "@codemirror/lint";
export { autocompletion, completionKeymap } from "@codemirror/autocomplete";
export { searchKeymap, highlightSelectionMatches, search, openSearchPanel } from "@codemirror/search";
export { tags } from "@lezer/highlight";
