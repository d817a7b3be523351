set(headers cosimo_headers_space)
