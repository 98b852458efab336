// A leaf after rain, very near: veins, drops, and the sky in each drop.

float veins(vec2 p) {
  float mid = abs(p.x + 0.05 * sin(p.y * 0.9));
  float side = abs(fract(p.y * 0.85 - mid * 0.62 + 0.10 * sin(mid * 2.0) + (p.x > 0.0 ? 0.4 : 0.0)) - 0.5) / 0.85;
  vec3 mesh = cells(p * 4.6), finer = cells(p * 11.0);
  float fine = mesh.y - mesh.x, finest = finer.y - finer.x;
  return exp(-mid * mid * 190.0) + 0.55 * exp(-side * side * 460.0) + 0.20 * exp(-fine * fine * 110.0) + 0.09 * exp(-finest * finest * 60.0);
}

float relief(vec2 p) {
  float side = fract(p.y * 0.85 - abs(p.x) * 0.62 + (p.x > 0.0 ? 0.4 : 0.0));
  return 0.10 * sin(side * 3.1416) * smoothstep(0.0, 0.4, abs(p.x)) - 0.035 * veins(p) + 0.05 * fbm(p * 2.2, 3) + 0.010 * noise(p * 26.0);
}

vec3 skin(vec2 p, vec2 slope, vec3 to) {
  vec3 n = normalize(vec3(-slope, 1.0));
  vec3 green = mix(vec3(0.030, 0.125, 0.020), vec3(0.115, 0.27, 0.045), clamp(veins(p) * 1.1, 0.0, 1.0)) * (0.75 + 0.5 * fbm(p * 3.0, 4));
  float lit = max(dot(n, to), 0.0);
  float shine = pow(max(dot(reflect(-to, n), vec3(0, 0, 1)), 0.0), 18.0);
  return green * (0.45 + 3.2 * lit) + vec3(0.75, 0.85, 0.95) * (0.05 + 0.55 * shine) * 0.45;
}

vec2 leafSlope(vec2 p) {
  vec2 e = vec2(0.006, 0.0);
  return vec2(relief(p + e) - relief(p - e), relief(p + e.yx) - relief(p - e.yx)) / (2.0 * e.x);
}

/** The drop over a point: its centre, its radius, and how far inside the point is, 0 at the rim and beyond. */
vec4 drop(vec2 p) {
  vec4 best = vec4(0.0);
  for (int k = 0; k < 4; k++) {
    float scale = k == 0 ? 0.62 : 0.75 * pow(1.85, float(k));
    vec2 q = p * scale + float(k) * 5.3, cell = floor(q);
    for (int j = 0; j < 9; j++) {
      vec2 c = cell + vec2(j % 3 - 1, j / 3 - 1);
      if (hash2(c + 20.0 + float(k)) < (k == 0 ? 0.45 : 0.62)) continue;
      float r = (0.12 + 0.20 * hash2(c + 8.0)) / scale;
      vec2 at = (c + 0.3 + 0.4 * hash22(c) - float(k) * 5.3) / scale, d = p - at;
      d *= 1.0 + 0.10 * (noise(normalize(d) * 1.7 + c) - 0.5);
      float inside = 1.0 - dot(d, d) / (r * r);
      if (inside > 0.0 && r > best.z) best = vec4(at, r, inside);
    }
  }
  return best;
}

vec3 photo(vec2 uv) {
  float blur = 0.050 * pow(abs(uv.y * 0.92 - uv.x * 0.25 + 0.12), 1.6);
  vec2 lens = spread(lensDrift);
  vec2 view = uv + blur * sqrt(lens.x) * vec2(cos(6.2832 * lens.y), sin(6.2832 * lens.y));
  view.y = view.y * (1.25 + 0.22 * view.y);
  vec2 p = turn(0.6) * view * 1.35 + vec2(0.25, 0.1);
  vec3 to = normalize(vec3(turn(0.6) * vec2(-0.62, 0.62), 0.62));
  vec2 flat_ = to.xy / length(to.xy);
  vec4 d = drop(p), s = drop(p + flat_ * 0.055);
  if (d.w <= 0.0) {
    float shade = s.w > 0.0 ? smoothstep(0.0, 0.5, s.w) : 0.0;
    return skin(p, leafSlope(p), to) * (1.0 - 0.62 * shade);
  }
  vec2 off = (p - d.xy) / d.z;
  float z = sqrt(d.w) * 0.9 + 0.12;
  vec3 n = normalize(vec3(off, z));
  vec2 bent = p - off * d.z * (0.30 + 0.25 * dot(off, off));
  vec3 c = skin(bent, leafSlope(bent) * 0.5, to) * 0.72;
  float far = dot(off, -flat_);
  c *= 0.42 + 1.9 * smoothstep(-0.35, 0.85, far) * smoothstep(0.02, 0.4, d.w);
  vec3 back = reflect(vec3(0, 0, -1), n);
  float fresnel = 0.03 + 0.97 * pow(1.0 - n.z, 3.5);
  vec3 sky = mix(vec3(0.08, 0.15, 0.05), vec3(0.75, 0.9, 1.05), smoothstep(-0.1, 0.8, back.z + 0.4 * dot(back.xy, flat_)));
  c += sky * fresnel * 0.55;
  vec2 w = turn(-0.6) * (off - flat_ * 0.50);
  float window_ = smoothstep(0.03, -0.03, box2(w, vec2(0.15, 0.11))) * (1.0 - 0.8 * smoothstep(0.03, 0.01, min(abs(w.x), abs(w.y + 0.01))));
  return c + vec3(3.2, 3.3, 3.4) * window_ * smoothstep(0.02, 0.09, d.z);
}
