// A thin-lens camera.

struct Ray {
  vec3 from;
  vec3 along;
};

/** `zoom` is the focal length against half the picture's height; `aperture` the lens' radius in scene units. */
Ray shoot(vec2 uv, vec3 eye, vec3 target, float zoom, float aperture, float focus) {
  vec3 ahead = normalize(target - eye);
  vec3 right = normalize(cross(ahead, abs(ahead.y) > 0.99 ? vec3(0, 0, -1) : vec3(0, 1, 0)));
  vec3 up = cross(right, ahead);
  vec3 sharp = eye + focus * (ahead + (uv.x * right + uv.y * up) / zoom);
  vec2 l = spread(lensDrift);
  vec3 from = eye + aperture * sqrt(l.x) * (cos(6.2832 * l.y) * right + sin(6.2832 * l.y) * up);
  return Ray(from, normalize(sharp - from));
}
