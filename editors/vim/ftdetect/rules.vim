" Other programs have files of this ending too: what stands in it decides.
function! s:Detect() abort
  for line in getline(1, 20)
    if line =~# '\v^(rules\s+language\s+\d|extends\s+\h)'
      set filetype=rules
      return
    endif
  endfor
endfunction
autocmd BufRead,BufNewFile *.rules call s:Detect()
